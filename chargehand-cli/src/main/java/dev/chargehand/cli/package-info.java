/** The {@code chargehand} command. */
@NullMarked
package dev.chargehand.cli;

import org.jspecify.annotations.NullMarked;
