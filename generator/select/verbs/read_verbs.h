// Verbs in JSON files: a plan lock, a tuning file.
#pragma once

#include "hardware/json_file.h"
#include "select/verbs/verbs.h"

namespace burin {

// A list of texts. Refused: what is no verb, a verb twice.
Verbs read_verbs(const JsonValue& list);

}  // namespace burin
