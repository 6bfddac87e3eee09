/** The failure of the nth call. */
@NullMarked
package dev.chargehand.verify.failure;

import org.jspecify.annotations.NullMarked;
