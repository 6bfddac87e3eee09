/** One call of one interface fails, whichever it is. */
@NullMarked
package dev.chargehand.verify.failure;

import org.jspecify.annotations.NullMarked;
