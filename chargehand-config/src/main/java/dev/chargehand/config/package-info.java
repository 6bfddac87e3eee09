/** Reads {@code chargehand.yaml}: agents, tools, scorers and providers, with exact messages about what is wrong. */
@NullMarked
package dev.chargehand.config;

import org.jspecify.annotations.NullMarked;
