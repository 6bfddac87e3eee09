/**
 * The keys of {@code chargehand.yaml}, declared once: the reader, the JSON Schema and the reference page are made from
 * them.
 */
@NullMarked
package dev.chargehand.config.internal.key;

import org.jspecify.annotations.NullMarked;
