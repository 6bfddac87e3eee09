package dev.chargehand.search;

import dev.chargehand.search.report.Passage;
import java.util.List;

/**
 * The result of {@code search-files}.
 *
 * @param passages best first
 * @param note what to do with them, or why there are none
 */
record SearchOutput(List<Passage> passages, String note) {}
