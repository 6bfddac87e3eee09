/** Delivers the same decisions twice, from two processes, while their siblings are executed. */
@NullMarked
package dev.chargehand.verify.inbox;

import org.jspecify.annotations.NullMarked;
