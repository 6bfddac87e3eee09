/** Agents in files: reads {@code chargehand.yaml} and says exactly what is wrong with it. */
@NullMarked
package dev.chargehand.cli.config;

import org.jspecify.annotations.NullMarked;
