/** Search over files: the {@code search-files} tool, which ranks passages by their words and cites file and line. */
@NullMarked
package dev.chargehand.search;

import org.jspecify.annotations.NullMarked;
