"""The version of a build. A build without the browser client says so, and package indexes do not accept it."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "src" / "endturn"
(RELEASE,) = re.findall(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text(), re.MULTILINE)
HAS_CLIENT = (PACKAGE / "server" / "static" / "index.html").is_file()

__version__ = RELEASE if HAS_CLIENT else f"{RELEASE}+without.client"
