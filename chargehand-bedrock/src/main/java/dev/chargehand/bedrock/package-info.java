/** Models on Amazon Bedrock, over its Converse API. */
@NullMarked
package dev.chargehand.bedrock;

import org.jspecify.annotations.NullMarked;
