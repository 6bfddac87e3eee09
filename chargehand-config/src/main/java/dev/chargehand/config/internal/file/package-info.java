/** Reads {@code chargehand.yaml}: its agents, tools, scorers and providers, as far as the file alone defines them. */
@NullMarked
package dev.chargehand.config.internal.file;

import org.jspecify.annotations.NullMarked;
