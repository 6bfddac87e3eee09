/** Clients of model providers. */
@NullMarked
package dev.chargehand.models;

import org.jspecify.annotations.NullMarked;
