/** Values that describe a search and the making of its index. */
@NullMarked
package dev.chargehand.search.report;

import org.jspecify.annotations.NullMarked;
