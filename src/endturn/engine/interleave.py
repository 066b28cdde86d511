"""States side by side for a GPU: the same element of 32 matches lies together, so that neighbouring threads,
each with its own match, read neighbouring bytes.

In a row of records the element of size s at offset o of match i lies at `i * size + o`. Interleaved it lies at
`32 * o + lane * s` in the memory of its group, where lane is i modulo 32: the distance from an element to the next
is then known to the compiler. Rules need not know: `deck(memory, like)[i]` is a record to them. A field that
is a number is read and written in its place, an array is a strided array, a nested record is the same again
with its offset added. Arrays of records are not supported: on a GPU keep columns.
"""

import operator
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from endturn.engine.record import Number, layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUP = 32  # matches side by side: the threads of a GPU that go in step


def deck(memory: Any, like: Any) -> Any:
    """Inside a kernel: the interleaved states in `memory`, of the record type that the array `like` has."""
    raise NotImplementedError("only compiled code can do this")


def copy_share(games: Any, i: int, source: Any, part: int, parts: int) -> None:
    """Inside a kernel: copy every parts-th element of a record, from the part-th on, into match i of a deck."""
    raise NotImplementedError("only compiled code can do this")


class Run(NamedTuple):
    """Elements of one size that lie behind one another in a record."""

    offset: int
    size: int
    length: int


@cache
def runs(kind: type) -> tuple[Run, ...]:
    """A record as runs of elements, neighbours of the same size joined."""
    joined: list[Run] = []
    for run in _leaves(kind, 0):
        last = joined[-1] if joined else None
        if last and last.size == run.size and last.offset + last.size * last.length == run.offset:
            joined[-1] = last._replace(length=last.length + run.length)
        else:
            joined.append(run)
    return tuple(joined)


def _leaves(kind: type, base: int) -> Iterator[Run]:
    for place in layout(kind).places:
        if not place.size:
            continue  # an array that this layout has no room for
        if isinstance(place.element, Number):
            yield Run(base + place.offset, place.element.size, place.size // place.element.size)
        elif place.lengths:
            raise TypeError(
                f"{kind.__name__}.{place.name} is an array of records: a GPU wants columns instead"
            )
        else:
            yield from _leaves(place.element, base + place.offset)


def interleaved(kind: type, states: "NDArray[Any]") -> "NDArray[Any]":
    """The states' bytes, interleaved; the last group is filled up with zeros."""
    import numpy as np  # noqa: PLC0415  (plain rules do without)

    size = states.itemsize
    rows = np.zeros((-(-len(states) // GROUP), GROUP, size), np.uint8)
    rows.reshape(-1, size)[: len(states)] = states.view("u1").reshape(-1, size)
    made = np.empty((len(rows), GROUP * size), np.uint8)
    for run in runs(kind):
        mine, theirs = _places(run)
        each = rows[:, :, mine].reshape(-1, GROUP, run.length, run.size)
        made[:, theirs] = each.transpose(0, 2, 1, 3).reshape(len(rows), -1)
    return made.reshape(-1)


def in_rows(kind: type, memory: "NDArray[Any]", states: "NDArray[Any]") -> None:
    """Write interleaved bytes back into a row of records."""
    import numpy as np  # noqa: PLC0415

    size = states.itemsize
    groups = memory.reshape(-1, GROUP * size)
    rows = np.empty((len(groups), GROUP, size), np.uint8)
    for run in runs(kind):
        mine, theirs = _places(run)
        each = groups[:, theirs].reshape(-1, run.length, GROUP, run.size)
        rows[:, :, mine] = each.transpose(0, 2, 1, 3).reshape(len(groups), GROUP, -1)
    states.view("u1").reshape(-1, size)[:] = rows.reshape(-1, size)[: len(states)]


def _places(run: Run) -> tuple[slice, slice]:
    """Where a run lies in a record, and in a group of them."""
    end = run.offset + run.size * run.length
    return slice(run.offset, end), slice(GROUP * run.offset, GROUP * end)


# --- what Numba has to know ---------------------------------------------------------------------------------


@cache
def teach(target: str) -> None:
    """Tell Numba ("cpu", which the tests use) or numba-cuda ("cuda") what a deck and its matches are."""
    _Lesson(_cpu_tools() if target == "cpu" else _cuda_tools()).give()


class _Tools(NamedTuple):
    """The same parts of Numba under the names that one of its two editions has for them."""

    types: Any
    cgutils: Any
    models: Any
    register_model: Any
    templates: Any
    infer_attribute: Any
    infer_global: Any
    lower: Any
    lower_getattr_generic: Any
    lower_setattr_generic: Any
    type_callable: Any
    populate_array: Any


def _cpu_tools() -> _Tools:
    from numba.core import cgutils, extending, imputils, types  # noqa: PLC0415
    from numba.core.typing import templates  # noqa: PLC0415
    from numba.np.arrayobj import populate_array  # noqa: PLC0415

    return _Tools(
        types, cgutils, extending.models, extending.register_model, templates, templates.infer_getattr,
        templates.infer_global, imputils.lower_builtin, imputils.lower_getattr_generic,
        imputils.lower_setattr_generic, extending.type_callable, populate_array,
    )  # fmt: skip


def _cuda_tools() -> _Tools:
    from numba.cuda import cgutils, cudadecl, cudaimpl, extending, types  # noqa: PLC0415
    from numba.cuda.np.arrayobj import populate_array  # noqa: PLC0415
    from numba.cuda.typing import templates  # noqa: PLC0415

    return _Tools(
        types, cgutils, extending.models, extending.register_model, templates, cudadecl.registry.register_attr,
        cudadecl.registry.register_global, cudaimpl.registry.lower, cudaimpl.registry.lower_getattr_generic,
        cudaimpl.registry.lower_setattr_generic, extending.type_callable, populate_array,
    )  # fmt: skip


class _Lesson:
    """The types of a deck and of one match in it, and the machine code for looking into them."""

    def __init__(self, tools: _Tools) -> None:
        self.tools = tools
        types = tools.types

        class Deck(types.Type):
            def __init__(self, record: Any) -> None:
                self.record = record
                super().__init__(name=f"Deck({record})")

        class Dealt(types.Type):
            def __init__(self, record: Any, shift: int) -> None:
                self.record, self.shift = record, shift
                super().__init__(name=f"Dealt({record}, {shift})")

        self.deck, self.dealt = Deck, Dealt

    def give(self) -> None:
        """Register everything."""
        self.shapes()
        self.making_a_deck()
        self.dealing()
        self.copying()
        self.reading()
        self.writing()

    def shapes(self) -> None:
        """A deck is where it lies; a match of it is where its group lies, and which of the group it is."""
        tools = self.tools
        types = tools.types

        @tools.register_model(self.deck)
        class DeckModel(tools.models.StructModel):
            def __init__(self, manager: Any, kind: Any) -> None:
                super().__init__(manager, kind, [("base", types.voidptr)])

        @tools.register_model(self.dealt)
        class DealtModel(tools.models.StructModel):
            def __init__(self, manager: Any, kind: Any) -> None:
                super().__init__(manager, kind, [("base", types.voidptr), ("lane", types.int64)])

    def making_a_deck(self) -> None:
        """`deck(memory, like)`."""
        tools, kind = self.tools, self.deck

        @tools.type_callable(deck)
        def type_deck(context: Any) -> Any:
            return lambda memory, like: kind(like.dtype)

        @tools.lower(deck, tools.types.Array, tools.types.Array)
        def make_deck(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            memory = context.make_array(signature.args[0])(context, builder, arguments[0])
            made = tools.cgutils.create_struct_proxy(signature.return_type)(context, builder)
            made.base = builder.bitcast(memory.data, context.get_value_type(tools.types.voidptr))
            return made._getvalue()

    def dealing(self) -> None:
        """`games[i]`."""
        tools, deck_kind, dealt_kind, lesson = self.tools, self.deck, self.dealt, self

        @tools.infer_global(operator.getitem)
        class Deal(tools.templates.AbstractTemplate):
            def generic(self, arguments: Any, keywords: Any) -> Any:
                if isinstance(arguments[0], deck_kind):
                    return tools.templates.signature(
                        dealt_kind(arguments[0].record, 0), arguments[0], tools.types.int64
                    )
                return None

        @tools.lower(operator.getitem, deck_kind, tools.types.int64)
        def deal(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = tools.cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
            return lesson.match(context, builder, signature.return_type, whole.base, arguments[1])._getvalue()

    def match(self, context: Any, builder: Any, kind: Any, base: Any, index: Any) -> Any:
        """One match of a deck: the group's memory, and the place in it."""
        whole = context.get_value_type(self.tools.types.int64)
        made = self.tools.cgutils.create_struct_proxy(kind)(context, builder)
        made.lane = builder.and_(index, whole(GROUP - 1))
        first = builder.sub(index, made.lane)
        made.base = builder.gep(base, [builder.mul(first, whole(kind.record.size))], inbounds=True)
        return made

    def address(self, context: Any, builder: Any, match: Any, offset: Any, size: int) -> Any:
        """Where the element lies that has this offset in a record: `32 * offset + lane * size`."""
        whole = context.get_value_type(self.tools.types.int64)
        near = builder.mul(match.lane, whole(size), flags=("nsw",))
        lane = builder.gep(match.base, [near], inbounds=True)
        return builder.gep(lane, [builder.mul(offset, whole(GROUP), flags=("nsw",))], inbounds=True)

    def copying(self) -> None:
        """`copy_share(games, i, record, part, parts)`, run by run."""
        tools, deck_kind, lesson = self.tools, self.deck, self
        types = tools.types

        @tools.type_callable(copy_share)
        def type_copy(context: Any) -> Any:
            return lambda games, i, source, part, parts: types.none

        @tools.lower(copy_share, deck_kind, types.Integer, types.Record, types.Integer, types.Integer)
        def copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = tools.cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
            index, part, parts = (
                context.cast(builder, arguments[k], signature.args[k], types.int64) for k in (1, 3, 4)
            )
            to = lesson.match(context, builder, lesson.dealt(signature.args[2], 0), whole.base, index)
            source = builder.bitcast(arguments[2], context.get_value_type(types.voidptr))
            for run in _runs_of(types, signature.args[2], 0):
                lesson.copy_run(context, builder, to, source, run, part, parts)
            return context.get_dummy_value()

    def copy_run(
        self, context: Any, builder: Any, to: Any, source: Any, run: Run, part: Any, parts: Any
    ) -> None:
        """A loop over the elements of a run that are this part's share."""
        whole = context.get_value_type(self.tools.types.int64)
        pointer = context.get_data_type(getattr(self.tools.types, f"int{8 * run.size}")).as_pointer()
        with self.tools.cgutils.for_range_slice(builder, part, whole(run.length), parts, inc=True) as (
            element,
            _,
        ):
            offset = builder.add(whole(run.offset), builder.mul(element, whole(run.size)))
            here = builder.bitcast(builder.gep(source, [offset]), pointer)
            there = builder.bitcast(self.address(context, builder, to, offset, run.size), pointer)
            builder.store(builder.load(here), there)

    def field(self, kind: Any, name: str) -> Any:
        """The type of a field of a match, and its offset."""
        types = self.tools.types
        inner, offset = kind.record.typeof(name), kind.shift + kind.record.offset(name)
        if isinstance(inner, types.Record):
            return self.dealt(inner, offset), offset
        if isinstance(inner, types.NestedArray):
            return types.Array(inner.dtype, inner.ndim, "A"), offset
        return inner, offset

    def reading(self) -> None:
        """`game.turn`, `game.fire`, `game.settings`."""
        tools, dealt_kind, lesson = self.tools, self.dealt, self

        @tools.infer_attribute
        class Fields(tools.templates.AttributeTemplate):
            key = dealt_kind

            def generic_resolve(self, kind: Any, name: str) -> Any:
                return lesson.field(kind, name)[0] if name in kind.record.fields else None

        @tools.lower_getattr_generic(dealt_kind)
        def get(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
            match = tools.cgutils.create_struct_proxy(kind)(context, builder, value)
            made_kind, offset = lesson.field(kind, name)
            if isinstance(made_kind, dealt_kind):
                made = tools.cgutils.create_struct_proxy(made_kind)(context, builder)
                made.base, made.lane = match.base, match.lane
                return made._getvalue()
            if isinstance(made_kind, tools.types.Array):
                shape = kind.record.typeof(name).shape
                return lesson.strided(context, builder, match, made_kind, offset, shape)
            address = lesson.typed_address(context, builder, match, made_kind, offset)
            return context.unpack_value(builder, made_kind, address)

    def typed_address(self, context: Any, builder: Any, match: Any, kind: Any, offset: int) -> Any:
        """Where a number of this type lies, as a pointer to it."""
        whole = context.get_value_type(self.tools.types.int64)
        size = context.get_abi_sizeof(context.get_data_type(kind))
        address = self.address(context, builder, match, whole(offset), size)
        return builder.bitcast(address, context.get_data_type(kind).as_pointer())

    def strided(self, context: Any, builder: Any, match: Any, kind: Any, offset: int, shape: Any) -> Any:
        """An array of one match: its elements are a group's width apart."""
        whole = context.get_value_type(self.tools.types.int64)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        strides: list[Any] = []
        apart = size
        for length in reversed(shape):
            strides.insert(0, whole(GROUP * apart))
            apart *= length
        made = context.make_array(kind)(context, builder)
        self.tools.populate_array(
            made,
            data=self.typed_address(context, builder, match, kind.dtype, offset),
            shape=[whole(length) for length in shape],
            strides=strides,
            itemsize=whole(size),
            meminfo=None,
        )
        return made._getvalue()

    def writing(self) -> None:
        """`game.turn = 7`."""
        tools, dealt_kind, lesson = self.tools, self.dealt, self

        @tools.lower_setattr_generic(dealt_kind)
        def put(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
            kind, value_kind = signature.args
            match = tools.cgutils.create_struct_proxy(kind)(context, builder, arguments[0])
            made_kind, offset = lesson.field(kind, name)
            value = context.cast(builder, arguments[1], value_kind, made_kind)
            address = lesson.typed_address(context, builder, match, made_kind, offset)
            context.pack_value(builder, made_kind, value, address)


def _runs_of(types: Any, record: Any, base: int) -> list[Run]:
    """`runs`, of Numba's description of a record."""
    joined: list[Run] = []
    for name in record.fields:
        inner, offset = record.typeof(name), base + record.offset(name)
        if isinstance(inner, types.Record):
            found = _runs_of(types, inner, offset)
        elif isinstance(inner, types.NestedArray):
            found = [Run(offset, inner.dtype.bitwidth // 8, inner.nitems)]
        else:
            found = [Run(offset, inner.bitwidth // 8, 1)]
        for run in found:
            last = joined[-1] if joined else None
            if last and last.size == run.size and last.offset + last.size * last.length == run.offset:
                joined[-1] = last._replace(length=last.length + run.length)
            else:
                joined.append(run)
    return joined
