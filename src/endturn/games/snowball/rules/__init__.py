"""The rules of Snowball Fight, one file per chapter."""
