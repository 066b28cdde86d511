"""Names that Freeciv 3.0 knows. Like Freeciv, lookups ignore case."""

from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from endturn.games.empires.vocabulary import EffectType

Named = TypeVar("Named", bound=StrEnum)

# Effects of Freeciv 3.0 that no rule of ours asks for: fighting, diplomats, pictures, the server's bots.
OTHER_EFFECTS = (
    "Action_Odds_Pct", "Any_Government", "Attack_Bonus", "Border_Vision", "Building_Buy_Cost_Pct",
    "Building_Saboteur_Resistant", "Casus_Belli_Caught", "Casus_Belli_Success", "City_Image", "Combat_Rounds",
    "Conquest_Tech_Pct", "Defend_Bonus", "Enable_Nuke", "Gain_AI_Love", "Has_Senate", "Illegal_Action_Move_Cost",
    "Incite_Cost_Pct", "Inspire_Partisans", "Irrig_Possible", "Irrig_TF_Possible", "Max_Stolen_Gold_Pm",
    "Max_Trade_Routes", "Mining_Possible", "Mining_TF_Possible", "No_Diplomacy", "Not_Tech_Source", "Nuke_Proof",
    "Spy_Resistant", "Stealings_Ignore", "Thiefs_Share_Pm", "Trade_Revenue_Bonus", "Transform_Possible",
    "Turn_Fragments", "Unit_Bribe_Cost_Pct", "Unit_Buy_Cost_Pct", "Unit_No_Lose_Pop", "Unit_Slots",
    "Unit_Vision_Radius_Sq", "Upgrade_Price_Pct", "Veteran_Combat", "Victory", "Visible_Walls",
)  # fmt: skip
OURS = {each.lower(): each for each in EffectType}
OTHERS = {name.lower(): name for name in OTHER_EFFECTS}


def member(kind: type[Named], word: str) -> Named | None:
    """The member of an enum that a word names."""
    return next((each for each in kind if each.lower() == word.lower()), None)


def hint(word: str, words: list[str]) -> str:
    """A suggestion for a misspelt word, or nothing."""
    lower = {each.lower(): each for each in words}
    found = get_close_matches(word.lower(), lower, n=1)
    return f" Did you mean {str(lower[found[0]])!r}?" if found else ""
