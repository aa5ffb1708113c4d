"""Tests of the intermediate representation: text forms and verifiers."""
