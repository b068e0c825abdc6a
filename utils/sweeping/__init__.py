"""The parts of utils/sweep."""
