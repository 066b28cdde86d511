"""The names of nations and their cities."""

PEOPLES = "Woodfolk", "Stonefolk", "Birdfolk", "Gemfolk"
TOWNS = (
    ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple"),
    ("Flint", "Granite", "Jasper", "Marble", "Slate", "Basalt", "Chalk", "Gneiss", "Pumice", "Shale"),
    ("Heron", "Kestrel", "Lapwing", "Martin", "Swift", "Bunting", "Curlew", "Dipper", "Osprey", "Wren"),
    ("Amber", "Coral", "Garnet", "Opal", "Topaz", "Agate", "Beryl", "Onyx", "Pearl", "Zircon"),
)
