package dev.chargehand.search;

import dev.chargehand.json.Description;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code search-files}. */
record SearchInput(
        @Description("What to look for: a few telling words or names; a passage that has more of them comes first")
        String query,

        @Description("How many passages, 1 to 20; 5 if not given") @Nullable
        Integer limit) {}
