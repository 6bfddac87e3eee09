/** The commands over what agents remember. */
@NullMarked
package dev.chargehand.cli.memory;

import org.jspecify.annotations.NullMarked;
