/** Long mixed traffic. */
@NullMarked
package dev.chargehand.verify.soak;

import org.jspecify.annotations.NullMarked;
