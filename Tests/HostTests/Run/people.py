"""Generates people and the output that `host run list` must show for them.

    python3 people.py COUNT FOLDER

writes FOLDER/company.json with COUNT people (500 bytes each) and FOLDER/expected.txt. The same COUNT gives the same
files.

This script computes the expected text without the host. The column widths come from Python's Unicode tables instead
of the C library's wcwidth.
"""

import json
import random
import sys
import unicodedata

# Latin with and without accents, Greek, Cyrillic, Chinese, Japanese and Korean (two columns a character), letters with
# combining marks (no column of their own), and numbers that sort as text.
FIRST = ["Bertha", "Zoë", "José", "Søren", "Łucja", "Ελένη", "Дмитрий", "美玲", "さくら", "민준", "Ame\u0301lie", "O'Neil"]
LAST = ["Irwin", "Müller", "Ångström", "Παππάς", "Иванова", "王", "田中", "김", "Nun\u0303ez", "van der Berg", "Smith-Jones"]
WORDS = ["ACME", "acme", "Beta", "Éclair", "eclair", "Ωmega", "Заря", "东方", "カメラ", "한빛", "Zeta 10", "Zeta 9"]
STREETS = ["Vermont Street", "Hauptstraße", "Calle del Príncipe", "Łąkowa", "東大路通"]
FRUITS = ["banana", "apple", "strawberry"]


def person(index, dice):
    number = dice.randrange(10**9)
    return {
        "_id": f"{dice.getrandbits(96):024x}",
        "index": index,
        "guid": f"{dice.getrandbits(128):032x}",
        "isActive": dice.random() < 0.5,
        "balance": f"${dice.randrange(10**7) / 100:,.2f}",
        "picture": "http://placehold.it/32x32",
        "age": dice.randrange(18, 80),
        "eyeColor": dice.choice(["green", "blue", "brown"]),
        "name": {"first": dice.choice(FIRST), "last": f"{dice.choice(LAST)} {dice.randrange(100)}"},
        "company": f"{dice.choice(WORDS)} {dice.randrange(400)}",
        "email": f"person.number.{number}@example.net",
        "phone": f"+1 ({dice.randrange(200, 999)}) {dice.randrange(1000):03}-{dice.randrange(10000):04}",
        "address": f"{dice.randrange(1000)} {dice.choice(STREETS)}, Concho, Arizona, {dice.randrange(10000)}",
        "favoriteFruit": ", ".join(dice.choice(FRUITS) for _ in range(3)),
    }


def width(text):
    """Returns the number of terminal columns of a text."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def screen(people):
    """Yields companies sorted by (lowercase name, name), people in file order, and balances in one column."""
    companies = {}
    widest = 0
    for one in people:
        title = f"{one['name']['first']} {one['name']['last']}"
        widest = max(widest, width(title))
        companies.setdefault(one["company"], []).append((title, one["balance"]))
    yield "People by company"
    for company in sorted(companies, key=lambda name: (name.lower(), name)):
        yield company
        for title, balance in companies[company]:
            yield f"  {title}{' ' * (widest - width(title))}   {balance}"


def main():
    count, folder = int(sys.argv[1]), sys.argv[2]
    dice = random.Random(count)
    people = [person(index, dice) for index in range(count)]
    with open(f"{folder}/company.json", "w", encoding="utf-8") as file:
        # Two of three records are indented and half of them escaped, so that neighbours differ in form.
        records = (
            json.dumps(one, ensure_ascii=index % 2 == 0, indent=2 if index % 3 else None)
            for index, one in enumerate(people)
        )
        file.write("[\n" + ",\n".join(records) + "\n]\n")
    with open(f"{folder}/expected.txt", "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in screen(people))


main()
