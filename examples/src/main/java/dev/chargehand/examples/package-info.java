/** Small programs that show one thing each. */
@NullMarked
package dev.chargehand.examples;

import org.jspecify.annotations.NullMarked;
