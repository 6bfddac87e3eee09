package dev.chargehand.search;

import java.util.List;

/**
 * The result of {@code search-files}.
 *
 * @param passages best first
 * @param note what to do with them, or why there are none
 */
record SearchOutput(List<FittingPassage> passages, String note) {}
