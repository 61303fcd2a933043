"""Statements whose truth is known, drawn by Hypothesis, to ask dpsym about.

Relations, claims about mechanisms, derivations, documents, expressions at points where digits cancel.
"""
