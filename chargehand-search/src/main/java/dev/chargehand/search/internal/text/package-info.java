/** Cuts texts into passages, and indexes and finds them. */
@NullMarked
package dev.chargehand.search.internal.text;

import org.jspecify.annotations.NullMarked;
