"""Interleaved states for a GPU: the same word of 32 matches lies together, so that neighbouring threads, each with its
own match, read neighbouring bytes, and fetch what they will read next.

In an array of records, the byte at offset o of match i lies at `i * size + o`. Interleaved in words of 8 bytes, it
lies at `256 * (o // 8) + 8 * lane + o % 8` in the memory of its group, where lane is i modulo 32. (Interleaving
elements instead of words would fetch each byte of a list separately.) Rules do not notice: `deck(memory, like)[i]` is
a record to them. A number is read and written in place, a list is a `Column` that can be indexed, and a nested record
is the same again with its offset added. Arrays of records are not supported: use columns on a GPU.
"""

import operator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from endturn.engine.record import Number, layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

GROUP = 32  # interleaved matches: the threads of a GPU that run in step
WORD = 8  # consecutive bytes of a match; no element of a record spans two words


def deck(memory: Any, like: Any) -> Any:
    """In a kernel: the interleaved states in `memory`, with the record type of the array `like`."""
    raise NotImplementedError("only compiled code can call this")


def copy_share(games: Any, i: int, source: Any, part: int, parts: int) -> None:
    """In a kernel: copy every parts-th word of a record, from word `part`, into match i of a deck."""
    raise NotImplementedError("only compiled code can call this")


def words(size: int) -> int:
    """The number of words of a record of this size."""
    return -(-size // WORD)


def interleaved(kind: type, states: "NDArray[Any]") -> "NDArray[Any]":
    """The states' bytes, interleaved; zeros fill the last group."""
    import numpy as np  # noqa: PLC0415  (not needed for plain rules)

    _require_columns(kind)
    size = states.itemsize
    rows = np.zeros((-(-len(states) // GROUP) * GROUP, words(size) * WORD), np.uint8)
    rows[: len(states), :size] = states.view("u1").reshape(-1, size)
    return rows.reshape(-1, GROUP, words(size), WORD).transpose(0, 2, 1, 3).reshape(-1)


def in_rows(memory: "NDArray[Any]", states: "NDArray[Any]") -> None:
    """Write interleaved bytes back into an array of records."""
    size = states.itemsize
    rows = memory.reshape(-1, words(size), GROUP, WORD).transpose(0, 2, 1, 3).reshape(-1, words(size) * WORD)
    states.view("u1").reshape(-1, size)[:] = rows[: len(states), :size]


def _require_columns(kind: type) -> None:
    """Raise TypeError if a record has an array of records."""
    for place in layout(kind).places:
        if isinstance(place.element, Number):
            assert place.offset % place.element.size == 0, f"{kind.__name__}.{place.name} is not aligned"
        elif place.lengths:
            raise TypeError(f"{kind.__name__}.{place.name} is an array of records. Use columns on a GPU.")
        else:
            _require_columns(place.element)


# --- teaching Numba -----------------------------------------------------------------------------------------


@cache
def teach(target: str) -> None:
    """Teach Numba ("cpu", which the tests use) or numba-cuda ("cuda") decks and their matches."""
    _Lesson(_cpu_tools() if target == "cpu" else _cuda_tools()).give()


class _Tools(NamedTuple):
    """The parts of Numba needed here, which Numba and numba-cuda keep in different places."""

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


def _cpu_tools() -> _Tools:
    from numba.core import cgutils, extending, imputils, types  # noqa: PLC0415
    from numba.core.typing import templates  # noqa: PLC0415

    return _Tools(
        types, cgutils, extending.models, extending.register_model, templates, templates.infer_getattr,
        templates.infer_global, imputils.lower_builtin, imputils.lower_getattr_generic,
        imputils.lower_setattr_generic, extending.type_callable,
    )  # fmt: skip


def _cuda_tools() -> _Tools:
    from numba.cuda import cgutils, cudadecl, cudaimpl, extending, types  # noqa: PLC0415
    from numba.cuda.typing import templates  # noqa: PLC0415

    return _Tools(
        types, cgutils, extending.models, extending.register_model, templates, cudadecl.registry.register_attr,
        cudadecl.registry.register_global, cudaimpl.registry.lower, cudaimpl.registry.lower_getattr_generic,
        cudaimpl.registry.lower_setattr_generic, extending.type_callable,
    )  # fmt: skip


class _Lesson:
    """The types of a deck, of a match in it and of a list in a match, and the machine code to access them."""

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

        class Column(types.Type):
            def __init__(self, dtype: Any, shape: tuple[int, ...]) -> None:
                self.dtype, self.shape = dtype, shape
                super().__init__(name=f"Column({dtype}, {shape})")

        self.deck, self.dealt, self.column = Deck, Dealt, Column

    def give(self) -> None:
        """Register everything."""
        self.shapes()
        self.making_a_deck()
        self.dealing()
        self.copying()
        self.reading()
        self.writing()
        self.indexing()
        self.assigning()
        self.measuring()

    def shapes(self) -> None:
        """A deck is its address; a match is the address of its first word; a list has an offset as well."""
        tools = self.tools
        here, offset = ("base", tools.types.voidptr), ("offset", tools.types.int64)

        def model(kind: Any, members: list[Any]) -> None:
            @tools.register_model(kind)
            class Model(tools.models.StructModel):
                def __init__(self, manager: Any, kind: Any) -> None:
                    super().__init__(manager, kind, members)

        model(self.deck, [here])
        model(self.dealt, [here])
        model(self.column, [here, offset])

    def struct(self, context: Any, builder: Any, kind: Any, *value: Any) -> Any:
        """A value of one of these types, to read or to fill."""
        return self.tools.cgutils.create_struct_proxy(kind)(context, builder, *value)

    def making_a_deck(self) -> None:
        """`deck(memory, like)`."""
        tools, lesson = self.tools, self

        @tools.type_callable(deck)
        def type_deck(context: Any) -> Any:
            return lambda memory, like: lesson.deck(like.dtype)

        @tools.lower(deck, tools.types.Array, tools.types.Array)
        def make_deck(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            memory = context.make_array(signature.args[0])(context, builder, arguments[0])
            made = lesson.struct(context, builder, signature.return_type)
            made.base = builder.bitcast(memory.data, context.get_value_type(tools.types.voidptr))
            return made._getvalue()

    def dealing(self) -> None:
        """`games[i]`."""
        tools, lesson = self.tools, self

        @tools.infer_global(operator.getitem)
        class Deal(tools.templates.AbstractTemplate):
            def generic(self, arguments: Any, keywords: Any) -> Any:
                if not isinstance(arguments[0], lesson.deck):
                    return None
                dealt = lesson.dealt(arguments[0].record, 0)
                return tools.templates.signature(dealt, arguments[0], tools.types.int64)

        @tools.lower(operator.getitem, self.deck, tools.types.int64)
        def deal(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = lesson.struct(context, builder, signature.args[0], arguments[0])
            made = lesson.struct(context, builder, signature.return_type)
            made.base = lesson.match(context, builder, signature.args[0].record, whole.base, arguments[1])
            return made._getvalue()

    def match(self, context: Any, builder: Any, record: Any, base: Any, index: Any) -> Any:
        """The address of the first word of a match."""
        whole = context.get_value_type(self.tools.types.int64)
        lane = builder.and_(index, whole(GROUP - 1))
        group = builder.mul(builder.sub(index, lane), whole(WORD * words(record.size)))
        return builder.gep(base, [builder.add(group, builder.mul(lane, whole(WORD)))], inbounds=True)

    def address(self, context: Any, builder: Any, base: Any, offset: Any, kind: Any) -> Any:
        """A pointer to the number of this type at an offset in a record."""
        whole = context.get_value_type(self.tools.types.int64)
        within = builder.and_(offset, whole(WORD - 1))
        row = builder.mul(builder.sub(offset, within), whole(GROUP), flags=("nsw",))
        found = builder.gep(builder.gep(base, [row], inbounds=True), [within], inbounds=True)
        return builder.bitcast(found, context.get_data_type(kind).as_pointer())

    def copying(self) -> None:
        """`copy_share(games, i, record, part, parts)`, word by word."""
        tools, lesson = self.tools, self
        types = tools.types

        @tools.type_callable(copy_share)
        def type_copy(context: Any) -> Any:
            return lambda games, i, source, part, parts: types.none

        @tools.lower(copy_share, self.deck, types.Integer, types.Record, types.Integer, types.Integer)
        def copy(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            games = lesson.struct(context, builder, signature.args[0], arguments[0])
            index, part, parts = (
                context.cast(builder, arguments[k], signature.args[k], types.int64) for k in (1, 3, 4)
            )
            record, whole = signature.args[2], context.get_value_type(types.int64)
            to = lesson.match(context, builder, record, games.base, index)
            source = builder.bitcast(arguments[2], whole.as_pointer())
            last = whole(record.size // 8)
            with tools.cgutils.for_range_slice(builder, part, last, parts, inc=True) as (word, _):
                there = lesson.address(context, builder, to, builder.mul(word, whole(8)), types.int64)
                builder.store(builder.load(builder.gep(source, [word])), there)
            lesson.copy_rest(context, builder, to, arguments[2], record.size)
            return context.get_dummy_value()

    def copy_rest(self, context: Any, builder: Any, to: Any, source: Any, size: int) -> None:
        """Copy the bytes after the last whole word; all threads write the same."""
        byte = self.tools.types.uint8
        source = builder.bitcast(source, context.get_data_type(byte).as_pointer())
        for at in range(size - size % 8, size):
            offset = context.get_constant(self.tools.types.int64, at)
            builder.store(
                builder.load(builder.gep(source, [offset])), self.address(context, builder, to, offset, byte)
            )

    def field(self, kind: Any, name: str) -> Any:
        """The type and offset of a field of a match."""
        types = self.tools.types
        inner, offset = kind.record.typeof(name), kind.shift + kind.record.offset(name)
        if isinstance(inner, types.Record):
            return self.dealt(inner, offset), offset
        if isinstance(inner, types.NestedArray):
            return self.column(inner.dtype, inner.shape), offset
        return inner, offset

    def reading(self) -> None:
        """`game.turn`, `game.fire`, `game.settings`."""
        tools, lesson = self.tools, self

        @tools.infer_attribute
        class Fields(tools.templates.AttributeTemplate):
            key = lesson.dealt

            def generic_resolve(self, kind: Any, name: str) -> Any:
                return lesson.field(kind, name)[0] if name in kind.record.fields else None

        @tools.lower_getattr_generic(self.dealt)
        def get(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
            base = lesson.struct(context, builder, kind, value).base
            made_kind, offset = lesson.field(kind, name)
            place = context.get_constant(tools.types.int64, offset)
            if isinstance(made_kind, lesson.dealt | lesson.column):
                made = lesson.struct(context, builder, made_kind)
                made.base = base
                if isinstance(made_kind, lesson.column):
                    made.offset = place
                return made._getvalue()
            address = lesson.address(context, builder, base, place, made_kind)
            return context.unpack_value(builder, made_kind, address)

    def writing(self) -> None:
        """`game.turn = 7`."""
        tools, lesson = self.tools, self

        @tools.lower_setattr_generic(self.dealt)
        def put(context: Any, builder: Any, signature: Any, arguments: Any, name: str) -> None:
            kind, value_kind = signature.args
            base = lesson.struct(context, builder, kind, arguments[0]).base
            made_kind, offset = lesson.field(kind, name)
            value = context.cast(builder, arguments[1], value_kind, made_kind)
            place = context.get_constant(tools.types.int64, offset)
            context.pack_value(
                builder, made_kind, value, lesson.address(context, builder, base, place, made_kind)
            )

    def entry(self, context: Any, builder: Any, kind: Any, value: Any, index: Any) -> tuple[Any, Any]:
        """The address of a match, and the offset of an entry of a list; as in Python, -1 is the last entry."""
        whole = context.get_value_type(self.tools.types.int64)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        for length in kind.shape[1:]:
            size *= length
        there = self.struct(context, builder, kind, value)
        behind = builder.add(index, whole(kind.shape[0]))
        index = builder.select(builder.icmp_signed("<", index, whole(0)), behind, index)
        return there.base, builder.add(there.offset, builder.mul(index, whole(size), flags=("nsw",)))

    def indexing(self) -> None:
        """`game.fire[7]`, `game.neighbour[2]`."""
        tools, lesson = self.tools, self

        @tools.infer_global(operator.getitem)
        class Index(tools.templates.AbstractTemplate):
            def generic(self, arguments: Any, keywords: Any) -> Any:
                kind, index = arguments
                if not isinstance(kind, lesson.column) or isinstance(index, tools.types.BaseTuple):
                    return None
                made = lesson.column(kind.dtype, kind.shape[1:]) if len(kind.shape) > 1 else kind.dtype
                return tools.templates.signature(made, kind, tools.types.int64)

        @tools.lower(operator.getitem, self.column, tools.types.int64)
        def get(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind, made_kind = signature.args[0], signature.return_type
            base, offset = lesson.entry(context, builder, kind, *arguments)
            if isinstance(made_kind, lesson.column):
                made = lesson.struct(context, builder, made_kind)
                made.base, made.offset = base, offset
                return made._getvalue()
            return context.unpack_value(
                builder, made_kind, lesson.address(context, builder, base, offset, made_kind)
            )

    def assigning(self) -> None:
        """`game.fire[7] = 3`."""
        tools, lesson = self.tools, self

        @tools.infer_global(operator.setitem)
        class Assign(tools.templates.AbstractTemplate):
            def generic(self, arguments: Any, keywords: Any) -> Any:
                kind = arguments[0]
                if not isinstance(kind, lesson.column):
                    return None
                return tools.templates.signature(tools.types.none, kind, tools.types.int64, kind.dtype)

        @tools.lower(operator.setitem, self.column, tools.types.int64, tools.types.Any)
        def put(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            base, offset = lesson.entry(context, builder, kind, *arguments[:2])
            context.pack_value(
                builder, kind.dtype, arguments[2], lesson.address(context, builder, base, offset, kind.dtype)
            )
            return context.get_dummy_value()

    def measuring(self) -> None:
        """`len(game.rain)`."""
        tools, lesson = self.tools, self

        @tools.infer_global(len)
        class Length(tools.templates.AbstractTemplate):
            def generic(self, arguments: Any, keywords: Any) -> Any:
                if not isinstance(arguments[0], lesson.column):
                    return None
                return tools.templates.signature(tools.types.int64, arguments[0])

        @tools.lower(len, self.column)
        def length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return context.get_constant(tools.types.int64, signature.args[0].shape[0])
