"""Steps that random graphs are made of (steps.py)."""
