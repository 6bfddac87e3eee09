/** Values in states, which know no state. */
@NullMarked
package dev.chargehand.internal.state.value;

import org.jspecify.annotations.NullMarked;
