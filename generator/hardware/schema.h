// Validation of a JSON value against a schema: the part of JSON Schema draft-07 that configs/ uses.
//
// Keywords: type (one, or a list), properties, required, additionalProperties (false, or a schema),
// items (one schema), minItems, maxItems, uniqueItems (of scalars), enum and const (of scalars),
// minimum, maximum, minLength, maxLength, pattern (ECMAScript, needs maxLength beside it), $ref
// ("#/definitions/x"). description, title, $schema, $id and definitions say nothing about values. A
// schema that uses anything else is our bug: BURIN_CHECK.
//
// Beyond draft-07, messages know units: field names end in their unit, so "l2_kib" beside a known
// "l2_bytes" is told which unit is wanted.
#pragma once

#include "hardware/json_file.h"

namespace burin {

// Refuses with every violation found, in the order of the file, at most 20. Rules: wrong-type,
// unknown-key, wrong-unit, missing-key, bad-value, out-of-range. O(values * members of their
// object).
void validate(const JsonValue& value, const JsonValue& schema);

}  // namespace burin
