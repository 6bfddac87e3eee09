/** Model calls, and the processors that see their texts. */
@NullMarked
package dev.chargehand.internal.agent.model;

import org.jspecify.annotations.NullMarked;
