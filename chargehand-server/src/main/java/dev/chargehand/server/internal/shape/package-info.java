/** What JSON of the API looks like: for the OpenAPI document, and for which fields a request may have. */
@NullMarked
package dev.chargehand.server.internal.shape;

import org.jspecify.annotations.NullMarked;
