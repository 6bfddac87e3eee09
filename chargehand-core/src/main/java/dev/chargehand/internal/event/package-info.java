/** Events: how facts are narrated and delivered to consumers. */
@NullMarked
package dev.chargehand.internal.event;

import org.jspecify.annotations.NullMarked;
