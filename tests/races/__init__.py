"""Adjoints are added without a race: the host backend watches every plain and every atomic access to them."""
