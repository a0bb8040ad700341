"""What games are made of: the contract, chance, maths, pictures and small parts."""
