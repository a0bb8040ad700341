"""Other people's frameworks, an adapter each; every one imports its framework, so import it only where that is used."""
