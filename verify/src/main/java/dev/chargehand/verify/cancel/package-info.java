/** Cancelled runs. */
@NullMarked
package dev.chargehand.verify.cancel;

import org.jspecify.annotations.NullMarked;
