"""Settings: what players choose before a match. Reading them, checking them and describing them."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game's settings. Each is a whole number with limits, a flag, a value of an IntEnum, or a text."""


class SettingsError(ValueError):
    """A setting that does not exist, or a value that it cannot have. The message says what is allowed."""


def number(low: int, high: int, help_text: str) -> msgspec.Meta:
    """Annotate a setting that is a whole number."""
    return msgspec.Meta(ge=low, le=high, description=help_text)


def choice(help_text: str) -> msgspec.Meta:
    """Annotate a setting that is a flag or a value of an IntEnum."""
    return msgspec.Meta(description=help_text)


def text(longest: int, help_text: str) -> msgspec.Meta:
    """Annotate a setting that is a text. Setup reads it; the state does not keep it."""
    return msgspec.Meta(max_length=longest, description=help_text)


def settings_from(kind: type[Settings], values: Mapping[str, Any], title: str) -> Settings:
    """Settings from values, which may be strings as they come from a command line."""
    hints = get_type_hints(kind, include_extras=True)
    for name in values:
        if name not in hints:
            raise SettingsError(f"{title} has no setting {name!r}. Its settings are {', '.join(hints)}.")
    ready = {name: _value(name, value, hints[name]) for name, value in values.items()}
    try:
        return msgspec.convert(ready, kind)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{str(error).rstrip('.')}.") from None
    except ValueError as error:
        raise SettingsError(str(error)) from None


def _value(name: str, value: Any, hint: Any) -> Any:
    kind = _plain(hint)
    if issubclass(kind, IntEnum):
        said = value.name if isinstance(value, IntEnum) else str(value)
        if said.upper() not in kind.__members__:
            raise _wrong(name, hint, value)
        return kind[said.upper()].value
    if kind is bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if str(value).lower() not in words:
            raise _wrong(name, hint, value)
        return words[str(value).lower()]
    return _text(name, value, hint) if kind is str else _whole_number(name, value, hint)


def _text(name: str, value: Any, hint: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(name, hint, value)
    if len(value) > get_args(hint)[1].max_length:
        raise SettingsError(f"{name} must be {_allowed(hint)}. This one has {len(value)}.")
    return value


def _whole_number(name: str, value: Any, hint: Any) -> int:
    meta = get_args(hint)[1]
    try:
        number = int(str(value))
    except ValueError:
        raise _wrong(name, hint, value) from None
    if not meta.ge <= number <= meta.le:
        raise _wrong(name, hint, number)
    return number


def _wrong(name: str, hint: Any, value: object) -> SettingsError:
    return SettingsError(f"{name} must be {_allowed(hint)}, not {value!r}.")


def _allowed(hint: Any) -> str:
    kind = _plain(hint)
    if kind is bool:
        return "true or false"
    if issubclass(kind, IntEnum):
        return " or ".join(name.lower() for name in kind.__members__)
    meta = get_args(hint)[1]
    if kind is str:
        return f"a text of at most {meta.max_length} characters"
    return f"a whole number from {meta.ge} to {meta.le}"


def _plain(hint: Any) -> Any:
    """The type without its annotations."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


class SettingHelp(NamedTuple):
    """What a help text says about a setting."""

    name: str
    choices: str
    default: str
    help: str


def describe_settings(kind: type[Settings]) -> list[SettingHelp]:
    """Every setting with its allowed values, default and help."""
    made = []
    defaults = settings_to_json(kind())
    for name, hint in get_type_hints(kind, include_extras=True).items():
        meta = next((part for part in get_args(hint) if isinstance(part, msgspec.Meta)), None)
        about = (meta.description if meta else None) or ""
        made.append(SettingHelp(name, _allowed(hint), str(defaults[name]), about))
    return made


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The settings as a dictionary. Enumeration values appear by name."""
    values = {name: getattr(settings, name) for name in settings.__struct_fields__}
    return {name: v.name.lower() if isinstance(v, IntEnum) else v for name, v in values.items()}
