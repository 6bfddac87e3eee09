/** The command {@code versions}. */
@NullMarked
package dev.chargehand.cli.versions;

import org.jspecify.annotations.NullMarked;
