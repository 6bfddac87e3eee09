package dev.chargehand.search;

import dev.chargehand.json.Description;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code search-files}. */
record SearchInput(
        @Description(
                "The search terms: a few significant words or names; passages that contain more of them come first")
        String query,

        @Description("How many passages, 1 to 20; 5 if not given") @Nullable
        Integer limit) {}
