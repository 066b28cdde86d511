"""The rules of Snowball Fight, a file a chapter."""
