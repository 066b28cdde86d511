"""The rules of Not-Chess, one file per chapter; ids like (M3) and (W14) are those of README.md.

board     squares and pieces: colours, owners, pools, what terrain and weather do to a figure
placing   settling peasants, raising war figures
moving    paths and their cost
combat    striking, striking back, missing
weather   months: wind, rain, storms, flood, drought, snow and ice, drowning
nomads    how nomads appear and walk
turns     the end of a turn, and the outcome
"""
