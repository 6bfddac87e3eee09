/** Commands about stored conversations. */
@NullMarked
package dev.chargehand.cli.threads;

import org.jspecify.annotations.NullMarked;
