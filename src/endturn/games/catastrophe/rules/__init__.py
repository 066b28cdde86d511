"""The rules of Catastrophe, some chapters a file: what each action does and may not; turns; the verdict."""
