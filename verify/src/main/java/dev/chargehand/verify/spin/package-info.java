/** Foreign code that computes without end. */
@NullMarked
package dev.chargehand.verify.spin;

import org.jspecify.annotations.NullMarked;
