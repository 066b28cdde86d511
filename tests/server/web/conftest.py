import pytest

from web_arena import arena


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with arena(tmp_path_factory.mktemp("arena"), "--no-limits") as made:
        yield made
