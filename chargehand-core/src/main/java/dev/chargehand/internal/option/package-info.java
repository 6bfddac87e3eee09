/** The options of a run: each is declared once, in {@link dev.chargehand.internal.option.Options}. */
@NullMarked
package dev.chargehand.internal.option;

import org.jspecify.annotations.NullMarked;
