"""The rules of Empires, a file a chapter; `sequence` says in which order the turn change uses them."""
