/** What runs store about background tasks. */
@NullMarked
package dev.chargehand.internal.fact.task;

import org.jspecify.annotations.NullMarked;
