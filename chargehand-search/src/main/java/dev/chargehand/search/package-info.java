/**
 * Search over files: the {@code search-files} tool, which ranks passages by their words and cites files with their
 * places.
 */
@NullMarked
package dev.chargehand.search;

import org.jspecify.annotations.NullMarked;
