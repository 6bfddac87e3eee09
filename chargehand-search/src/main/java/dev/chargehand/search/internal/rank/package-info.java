/** Reads questions, and ranks the passages that answer them. */
@NullMarked
package dev.chargehand.search.internal.rank;

import org.jspecify.annotations.NullMarked;
