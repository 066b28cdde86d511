"""The private parts of other packages that we use. An upgrade that breaks one fails here, with its name.

pyproject.toml has an upper bound for each of these packages. To raise it: install the new version and run the tests.
"""

import importlib.util
import inspect
import re
import tomllib
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("package", ["numba", "numba-cuda", "uvicorn", "websockets", "psycopg"])
def test_package_with_private_parts_has_an_upper_bound(package):
    wanted = [each for extra in PROJECT["optional-dependencies"].values() for each in extra]
    bounds = [each for each in wanted if re.split(r"[\[<>=;]", each)[0] == package]
    assert bounds and all("<" in each for each in bounds)


def parameters(function):
    return list(inspect.signature(function).parameters)


# --- numba --------------------------------------------------------------------------------------------------


@pytest.fixture
def numba():
    return pytest.importorskip("numba")


def test_numba_dispatchers_choose_a_version_in_get_call_template(numba):
    from numba.core.dispatcher import Dispatcher  # noqa: PLC0415  (optional)

    assert parameters(Dispatcher.get_call_template) == ["self", "args", "kws"]


def test_numba_types_python_values_with_typeof_impl(numba):
    from numba import types  # noqa: PLC0415
    from numba.core.typing.typeof import typeof_impl  # noqa: PLC0415

    assert callable(typeof_impl.register)
    assert types.int64 in types.signed_domain
    assert types.unliteral(types.literal(3)) == types.int64


def test_numba_compilers_take_a_library(numba):
    from numba.core.compiler import CompilerBase  # noqa: PLC0415

    assert parameters(CompilerBase.__init__)[1:4] == ["typingctx", "targetctx", "library"]


def test_numba_libraries_finalize_in_two_steps(numba):
    from numba.core.codegen import JITCodeLibrary  # noqa: PLC0415

    source = inspect.getsource(JITCodeLibrary.finalize)
    assert source.index("self._optimize_final_module()") < source.index("self._finalize_final_module()")
    assert {"_finalize_dynamic_globals", "get_pointer_to_function", "_ensure_finalized"} <= set(
        dir(JITCodeLibrary)
    )
    assert isinstance(inspect.getattr_static(JITCodeLibrary, "codegen"), property)
    assert JITCodeLibrary._finalized is False


def test_numba_executables_need_only_a_pointer_and_an_environment(numba):
    from numba.core.cpu import CPUContext  # noqa: PLC0415

    source = inspect.getsource(CPUContext.get_executable)
    assert set(re.findall(r"library\.(\w+)", source)) == {"get_pointer_to_function", "codegen"}
    assert re.findall(r"library\.codegen\.(\w+)", source) == ["set_env"]


def test_numba_data_models_and_lowering_can_be_extended(numba):
    from numba.core import cgutils, extending, imputils  # noqa: PLC0415
    from numba.core.typing import templates  # noqa: PLC0415

    assert callable(cgutils.create_struct_proxy)
    assert callable(extending.register_model) and callable(extending.type_callable)
    assert callable(imputils.lower_builtin) and callable(imputils.lower_getattr_generic)
    assert callable(imputils.lower_setattr_generic)
    assert callable(templates.infer_getattr) and callable(templates.infer_global)


# --- numba-cuda ---------------------------------------------------------------------------------------------


@pytest.fixture
def cuda():
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed: pip install 'endturn[gpu]'")
    return importlib.import_module("numba.cuda")


def test_numba_cuda_devices_compile_in_compile_device(cuda):
    from numba.cuda.dispatcher import CUDADispatcher  # noqa: PLC0415

    assert parameters(CUDADispatcher.compile_device)[:2] == ["self", "args"]
    assert parameters(CUDADispatcher.get_call_template) == ["self", "args", "kws"]
    assert hasattr(CUDADispatcher, "_numba_type_")


def test_numba_cuda_compiles_through_nvvm_compile_ir(cuda):
    from numba.cuda.cudadrv import nvvm  # noqa: PLC0415

    assert callable(nvvm.compile_ir)


def test_numba_cuda_has_its_own_types_and_lowering(cuda):
    from numba.cuda import cgutils, cudadecl, cudaimpl, extending, types  # noqa: F401, PLC0415
    from numba.cuda.typing import templates  # noqa: F401, PLC0415
    from numba.cuda.typing.typeof import typeof_impl  # noqa: PLC0415

    assert callable(typeof_impl.register) and hasattr(types, "IntEnumClass")


# --- uvicorn ------------------------------------------------------------------------------------------------


@pytest.fixture
def uvicorn():
    return pytest.importorskip("uvicorn")


def test_uvicorn_server_captures_signals_in_one_method(uvicorn):
    assert {"capture_signals", "should_exit", "force_exit", "started"} <= {
        *dir(uvicorn.Server),
        *vars(uvicorn.Server(uvicorn.Config(lambda: None))),
    }


def test_uvicorn_http_protocol_has_cycle_loop_and_transport(uvicorn):
    from uvicorn.protocols.http.h11_impl import H11Protocol  # noqa: PLC0415

    source = inspect.getsource(H11Protocol.__init__)
    assert {"cycle", "transport", "loop"} <= set(re.findall(r"self\.(\w+)", source))
    assert parameters(H11Protocol.connection_made) == ["self", "transport"]


def test_uvicorn_websocket_protocol_has_the_parts_we_replace(uvicorn):
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol  # noqa: PLC0415

    state = set(re.findall(r"self\.(\w+)", inspect.getsource(WebSocketsSansIOProtocol)))
    ours = "frames curr_msg_data_type queue read_paused writable handshake_complete close_sent disconnected"
    assert set(ours.split()) | {"initial_response", "conn", "scope", "transport"} <= state
    methods = (
        "run_asgi data_received send send_receive_event_to_app shutdown connection_lost keepalive_timeout"
    )
    assert all(inspect.isfunction(getattr(WebSocketsSansIOProtocol, name)) for name in methods.split())


# --- websockets ---------------------------------------------------------------------------------------------


def test_websockets_frames_have_a_function_that_masks():
    frames = pytest.importorskip("websockets.frames")
    masked = frames.apply_mask(b"endturn", b"abcd")
    assert masked == bytes(letter ^ mask for letter, mask in zip(b"endturn", b"abcdabc", strict=True))
    assert frames.apply_mask(masked, b"abcd") == b"endturn"


# --- psycopg ------------------------------------------------------------------------------------------------


def test_psycopg_connections_drive_a_generator_in_wait():
    psycopg = pytest.importorskip("psycopg")
    assert parameters(psycopg.Connection.wait)[:2] == ["self", "gen"]
    assert callable(psycopg.pq.PGconn.finish)
