/** The state of a run, folded from its facts. */
@NullMarked
package dev.chargehand.internal.state;

import org.jspecify.annotations.NullMarked;
