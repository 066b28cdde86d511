"""The dialects, each a module or package named after its game that defines `DIALECT`."""
