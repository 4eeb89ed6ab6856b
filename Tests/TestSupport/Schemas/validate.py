"""Validates JSON files against a JSON Schema. Usage: validate.py SCHEMA FILE...

Prints one line for each file: "accepted", or "refused" with the reason, then a tab and the file.
"""
import json
import re
import sys

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend


def pattern(validator, pattern, instance, schema):
    # JSON Schema's patterns are ECMA-262, where $ matches only the very end. In Python it also matches before a final
    # newline.
    if isinstance(instance, str) and not re.search(re.sub(r"\$$", r"\\Z", pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


schema_file, *files = sys.argv[1:]
with open(schema_file, encoding="utf-8") as stream:
    schema = json.load(stream)
Draft202012Validator.check_schema(schema)
validator = extend(Draft202012Validator, {"pattern": pattern})(schema)
for file in files:
    with open(file, encoding="utf-8") as stream:
        error = next(validator.iter_errors(json.load(stream)), None)
    verdict = "accepted" if error is None else "refused " + " ".join(error.message.split())
    print(f"{verdict}\t{file}")
